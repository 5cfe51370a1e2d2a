/** What people look a title up by: without a leading English article and without marks before the first letter. */
export function sortTitle(name: string): string {
  const bare = name.normalize('NFC').replace(/^[^\p{L}\p{N}]+/u, '')
  const withoutArticle = bare.replace(/^(?:the|an?)\s+(?=\S)/i, '')
  return withoutArticle === '' ? name.normalize('NFC') : withoutArticle
}
