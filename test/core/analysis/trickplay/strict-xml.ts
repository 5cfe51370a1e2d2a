/** An element of an XML document without text. */
export type XmlElement = { name: string; attributes: Record<string, string>; children: XmlElement[] }

type Tag = { isClosing: boolean; isEmpty: boolean; name: string; attributes: Record<string, string>; length: number }

const DECLARATION = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/
const TAG = /<(\/?)([A-Za-z]\w*)((?: [A-Za-z]\w*="[^"<&]*")*)(\/?)>[ \n\t]*/y
const ATTRIBUTE = / ([A-Za-z]\w*)="([^"<&]*)"/g

/**
 * Reads a small subset of XML strictly: elements and quoted attributes without entities, and no text except white space.
 * @throws Error for everything else
 */
export function parseXml(text: string): XmlElement {
  const document: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [document]
  for (let at = DECLARATION.exec(text)?.[0].length ?? 0; at < text.length;) {
    const tag = readTag(text, at)
    at += tag.length
    if (tag.isClosing) {
      if (open.length < 2 || open.pop()?.name !== tag.name) throw new Error(`not open: ${tag.name}`)
      continue
    }
    const element = { name: tag.name, attributes: tag.attributes, children: [] }
    open.at(-1)?.children.push(element)
    if (!tag.isEmpty) open.push(element)
  }
  const [root] = document.children
  if (root === undefined || open.length > 1 || document.children.length > 1) throw new Error('not one root')
  return root
}

function readTag(text: string, at: number): Tag {
  TAG.lastIndex = at
  const match = TAG.exec(text)
  if (match === null) throw new Error(`not XML: ${text.slice(at, at + 40)}`)
  const [{ length }, closing, name = '', attributes = '', empty] = match
  const pairs = [...attributes.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, value] as const)
  if (new Set(pairs.map(([key]) => key)).size !== pairs.length) throw new Error(`an attribute occurs twice: ${name}`)
  const isClosing = closing === '/'
  if (isClosing && (pairs.length > 0 || empty === '/')) throw new Error(`not a closing tag: ${name}`)
  return { isClosing, isEmpty: empty === '/', name, attributes: Object.fromEntries(pairs), length }
}
