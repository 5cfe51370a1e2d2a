import { XMLParser } from 'fast-xml-parser'

export type XmlNode = { name: string; content: Readonly<Record<string, unknown>> }

/** A list of 1,000 objects has about 10,000 elements with three levels. */
const MAX_DEPTH = 16

/**
 * The root element of a reply. A reply that is empty or not XML gives an element without a name. Entities that the reply declares are not
 * resolved.
 */
export function parseXmlReply(body: Uint8Array): XmlNode {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  if (!text.includes('<') || /<!(?:DOCTYPE|ENTITY)/i.test(text)) return { name: '', content: {} }
  try {
    const parser = new XMLParser({
      parseTagValue: false,
      ignoreDeclaration: true,
      ignorePiTags: true,
      removeNSPrefix: true,
      maxNestedTags: MAX_DEPTH,
    })
    const [name = '', content] = Object.entries(parser.parse(text) as Record<string, unknown>)[0] ?? []
    return { name, content: isRecord(content) ? content : {} }
  } catch {
    return { name: '', content: {} }
  }
}

/** The text of a child; empty without one. */
export function childNodeText({ content }: XmlNode, name: string): string {
  const value = content[name]
  return typeof value === 'string' ? value : ''
}

/** The children with a name. */
export function childNodes({ content }: XmlNode, name: string): XmlNode[] {
  const value = content[name]
  const rows: unknown[] = Array.isArray(value) ? value : value === undefined ? [] : [value]
  return rows.filter(isRecord).map((row) => ({ name, content: row }))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
