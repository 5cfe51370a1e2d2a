/** A title for comparison: NFC, no capitals, dots and underscores as spaces, single spaces. */
export function foldTitle(title: string): string {
  return title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[\s._]+/g, ' ')
    .trim()
}
