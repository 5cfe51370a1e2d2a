/** An element of an XML document without text. */
export type XmlElement = { name: string; attributes: Record<string, string>; children: XmlElement[] }

const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/
const TAG = /<(\/?)([A-Za-z]\w*)((?: [A-Za-z]\w*="[^"<&]*")*)(\/?)>/y
const ATTRIBUTE = / ([A-Za-z]\w*)="([^"<&]*)"/g
const SPACE = /[ \n\t]*/y

/**
 * Reads a small subset of XML strictly: elements and quoted attributes without entities, and no text except white space.
 * @throws Error for everything else
 */
export function readXml(text: string): XmlElement {
  const document: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [document]
  let at = DECLARATION.exec(text)?.[0].length ?? 0
  for (;;) {
    SPACE.lastIndex = at
    at += SPACE.exec(text)?.[0].length ?? 0
    if (at === text.length) break
    TAG.lastIndex = at
    const [tag, closing = '', name = '', attributes = '', empty = ''] = TAG.exec(text) ?? []
    if (tag === undefined) throw new Error(`not XML: ${text.slice(at, at + 40)}`)
    at += tag.length
    if (closing === '/') {
      if (open.length < 2 || open.pop()?.name !== name || attributes !== '' || empty !== '') throw new Error(tag)
      continue
    }
    const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value] as const)
    if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`twice: ${tag}`)
    const element = { name, attributes: Object.fromEntries(pairs), children: [] }
    open.at(-1)?.children.push(element)
    if (empty === '') open.push(element)
  }
  const [root] = document.children
  if (root === undefined || open.length > 1 || document.children.length > 1) throw new Error('not one root')
  return root
}
