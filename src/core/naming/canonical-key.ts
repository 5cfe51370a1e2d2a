/**
 * Recognises a file that was moved without being renamed (document 1, rescan; decisions 3.5): name, size and type of item,
 * whatever its folder. The name is compared in NFC and without capitals, as other file systems keep it.
 */
export function canonicalKey(fileName: string, sizeBytes: number, type: string): string {
  return `${type}:${sizeBytes}:${fileName.normalize('NFC').toLowerCase().normalize('NFC')}`
}
