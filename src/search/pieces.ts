/** What is typed into the search box: `-name:"quoted value"`, or what stands between spaces. */
export const PIECES = /(?<minus>-?)(?:(?<name>[a-z]+):)?"(?<quoted>[^"]*)"(?=\s|$)|(?<bare>\S+)/giu;
