/** The sort title: without a leading English article and without punctuation before the first letter. */
export function sortTitle(name: string): string {
  const bare = name.normalize('NFC').replace(/^[^\p{L}\p{N}]+/u, '')
  const withoutArticle = bare.replace(/^(?:the|an?)\s+(?=\S)/i, '')
  return withoutArticle === '' ? name.normalize('NFC') : withoutArticle
}
