/**
 * A key that identifies a file after a move without renaming: name, size and item type, independent of the folder. The name is normalized
 * to NFC and lower case, because file systems differ in both.
 */
export function canonicalKey(fileName: string, sizeBytes: number, type: string): string {
  return `${type}:${sizeBytes}:${fileName.normalize('NFC').toLowerCase().normalize('NFC')}`
}
