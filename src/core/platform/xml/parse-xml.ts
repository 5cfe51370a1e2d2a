import { XMLParser, type X2jOptions } from 'fast-xml-parser'

/** An element without its namespace prefix. Names are in lower case, because the case differs between programs. */
export type XmlElement = {
  name: string
  attributes: ReadonlyMap<string, string>
  /** Text of the element and of its CDATA sections, with entities resolved, not trimmed. */
  text: string
  children: readonly XmlElement[]
}

export type XmlParseResult = { kind: 'read'; roots: readonly XmlElement[] } | { kind: 'refused'; reason: string }

/** Maximum nesting; OPF and NFO need fewer than ten levels. */
const MAX_DEPTH = 64

/** Limit, because the parser creates an object for each tag. */
const MAX_TAGS = 50_000

const MAX_ATTRIBUTES = 50

const PARSER_OPTIONS: X2jOptions = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  // Entities are resolved below, once: the five entities of XML and numeric references. Declared entities are ignored, which prevents
  // entity expansion attacks.
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  allowBooleanAttributes: true,
  cdataPropName: '#cdata',
  maxNestedTags: MAX_DEPTH,
}

/**
 * Parses the elements of an XML text, without validation. Several roots are allowed (Kodi writes one per episode), as is text after the
 * last one. Rejects document types with declarations, deep nesting, too many tags, and anything that is not XML. Never throws.
 */
export function parseXml(text: string): XmlParseResult {
  const documentType = /<!DOCTYPE[^>[]{0,1000}(.?)/is.exec(text)
  if (documentType !== null && documentType[1] !== '>') return refused('a document type that declares things')
  if (/<!ENTITY/i.test(text)) return refused('declared entities')
  if (countTags(text) > MAX_TAGS) return refused('too many tags')
  const start = text.indexOf('<')
  if (start < 0) return refused('no XML')
  try {
    const roots = elementsOf(new XMLParser(PARSER_OPTIONS).parse(text.slice(start, text.lastIndexOf('>') + 1)))
    return roots.length > 0 ? { kind: 'read', roots } : refused('no XML')
  } catch (error) {
    return refused(error instanceof Error ? error.message.slice(0, 200) : 'no XML')
  }
}

/** Returns the first child with this name. */
export function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name)
}

/** Returns all children with this name. */
export function findChildren(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? []
}

function refused(reason: string): XmlParseResult {
  return { kind: 'refused', reason }
}

function countTags(text: string): number {
  let count = 0
  for (let at = text.indexOf('<'); at >= 0 && count <= MAX_TAGS; at = text.indexOf('<', at + 1)) count += 1
  return count
}

/** Converts the parser's ordered form: `[{ name: [children], ':@': { attribute: value } }, { '#text': '…' }]`. */
function elementsOf(nodes: unknown): XmlElement[] {
  if (!Array.isArray(nodes)) return []
  return nodes.flatMap((node: Readonly<Record<string, unknown>>) => {
    const name = Object.keys(node).find((key) => key !== ':@')
    if (name === undefined || name.startsWith('#')) return []
    const inner = node[name]
    return [
      {
        name: name.toLowerCase(),
        attributes: attributesOf(node[':@']),
        text: textIn(inner),
        children: elementsOf(inner),
      },
    ]
  })
}

function attributesOf(attributes: unknown): Map<string, string> {
  const entries = Object.entries(typeof attributes === 'object' && attributes !== null ? attributes : {})
  return new Map(
    entries.slice(0, MAX_ATTRIBUTES).map(([name, value]) => [name.toLowerCase(), decodeXmlEntities(String(value))]),
  )
}

function textIn(nodes: unknown): string {
  if (!Array.isArray(nodes)) return ''
  const parts = nodes.map((node: Readonly<Record<string, unknown>>) => {
    if (typeof node['#text'] === 'string') return decodeXmlEntities(node['#text'])
    return '#cdata' in node ? literalIn(node['#cdata']) : ''
  })
  return parts.join('')
}

/** Returns the text of a CDATA section, which the parser represents as `[{ '#text': '…' }]`. Entities are not resolved. */
function literalIn(nodes: unknown): string {
  if (!Array.isArray(nodes)) return ''
  return nodes
    .map((node: Readonly<Record<string, unknown>>) => (typeof node['#text'] === 'string' ? node['#text'] : ''))
    .join('')
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' }

/** Resolves the five entities of XML, the non-breaking space and numeric entities, once: `&amp;lt;` becomes `&lt;`. */
export function decodeXmlEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (whole, ...groups: unknown[]) => {
      const [decimal, hexadecimal, name] = groups
      if (typeof name === 'string') return NAMED[name.toLowerCase()] ?? whole
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hexadecimal), 16)
      return code > 0 && code <= 0x10_ff_ff && !(code >= 0xd8_00 && code <= 0xdf_ff) ? String.fromCodePoint(code) : ''
    },
  )
}
