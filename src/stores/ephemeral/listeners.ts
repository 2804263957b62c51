/** Who listens to which channel in this process. */
export function createListeners() {
  const byChannel = new Map<string, Set<(message: string) => void>>();
  return {
    add(channel: string, hear: (message: string) => void): void {
      byChannel.set(channel, (byChannel.get(channel) ?? new Set()).add(hear));
    },
    tell(channel: string, message: string): void {
      for (const hear of byChannel.get(channel) ?? []) hear(message);
    },
  };
}
