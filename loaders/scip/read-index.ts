import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** A file as an indexer saw it. */
export interface ScipDocument {
  /** From the root of the project that was indexed. */
  path: string;
  /** Where symbols that other files can see are named; lines from 1. */
  occurrences: { line: number; symbol: string; isDefinition: boolean }[];
  /** A symbol of this file implements or extends another. */
  implementations: { symbol: string; of: string }[];
}

/** What a compiler, or an analyser as thorough, says of a project (https://github.com/sourcegraph/scip). */
export interface ScipIndex {
  /** Who made it: `scip-typescript 0.4.0`. */
  tool: string;
  documents: ScipDocument[];
}

/** The file is no SCIP index, or not all of it; the message says what to do. */
export class ScipError extends Error {
  override readonly name = 'ScipError';
}

/** Role of an occurrence: it is where the symbol is defined. */
const definitionRole = 1;

/** Reads an index. Throws ScipError. */
export function readScipIndex(bytes: Uint8Array, name: string): ScipIndex {
  const index: ScipIndex = { tool: '', documents: [] };
  try {
    for (const { field, reader } of fieldsOf(bytes)) {
      if (field === 1) index.tool = readTool(reader.bytes());
      else if (field === 2) index.documents.push(readDocument(reader.bytes()));
      else reader.skip(WireType.LengthDelimited);
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ScipError(`${name} is no SCIP index, or it is cut short or damaged: make it again (${why}).`, {
      cause: error,
    });
  }
  if (index.tool === '' || index.documents.length === 0)
    throw new ScipError(`${name} is no SCIP index that says anything of a file: make it again.`);
  return index;
}

/** The fields of a message, each to be read or skipped; those of another kind than text, bytes or messages are left out. */
function* fieldsOf(bytes: Uint8Array): Generator<{ field: number; reader: BinaryReader }> {
  for (const { field, wire, reader } of allFieldsOf(bytes)) {
    if (wire === WireType.LengthDelimited) yield { field, reader };
    else reader.skip(wire, field);
  }
}

function* allFieldsOf(bytes: Uint8Array): Generator<{ field: number; wire: WireType; reader: BinaryReader }> {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    yield { field, wire, reader };
  }
}

function readTool(metadata: Uint8Array): string {
  const said: string[] = [];
  for (const { field, reader } of fieldsOf(metadata)) {
    if (field !== 2) {
      reader.skip(WireType.LengthDelimited);
      continue;
    }
    for (const { field: part, reader: tool } of fieldsOf(reader.bytes())) {
      if (part === 1 || part === 2) said.push(tool.string());
      else tool.skip(WireType.LengthDelimited);
    }
  }
  return said.join(' ');
}

function readDocument(bytes: Uint8Array): ScipDocument {
  const document: ScipDocument = { path: '', occurrences: [], implementations: [] };
  for (const { field, reader } of fieldsOf(bytes)) {
    if (field === 1) document.path = reader.string();
    else if (field === 2) {
      const occurrence = readOccurrence(reader.bytes());
      if (isGlobal(occurrence.symbol)) document.occurrences.push(occurrence);
    } else if (field === 3) document.implementations.push(...readSymbol(reader.bytes()));
    else reader.skip(WireType.LengthDelimited);
  }
  return document;
}

function readOccurrence(bytes: Uint8Array): ScipDocument['occurrences'][number] {
  let [line, symbol, roles] = [0, '', 0];
  for (const { field, wire, reader } of allFieldsOf(bytes)) {
    if (field === 1 && wire === WireType.LengthDelimited) line = new BinaryReader(reader.bytes()).int32() + 1;
    else if (field === 2) symbol = reader.string();
    else if (field === 3) roles = reader.int32();
    else reader.skip(wire, field);
  }
  return { line, symbol, isDefinition: (roles & definitionRole) !== 0 };
}

function readSymbol(bytes: Uint8Array): ScipDocument['implementations'] {
  let symbol = '';
  const others: string[] = [];
  for (const { field, reader } of fieldsOf(bytes)) {
    if (field === 1) symbol = reader.string();
    else if (field === 4) {
      const other = readImplementation(reader.bytes());
      if (other !== null) others.push(other);
    } else reader.skip(WireType.LengthDelimited);
  }
  return others.filter((of) => isGlobal(of) && isGlobal(symbol)).map((of) => ({ symbol, of }));
}

function readImplementation(bytes: Uint8Array): string | null {
  let [symbol, isImplementation] = ['', false];
  for (const { field, wire, reader } of allFieldsOf(bytes)) {
    if (field === 1) symbol = reader.string();
    else if (field === 3) isImplementation = reader.bool();
    else reader.skip(wire, field);
  }
  return isImplementation ? symbol : null;
}

/** Of what only its own file can see, nothing is told but a number. */
const isGlobal = (symbol: string) => symbol !== '' && !symbol.startsWith('local ');
