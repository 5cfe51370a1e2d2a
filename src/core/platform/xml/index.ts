export { childOf, childrenOf, parseXml, resolveEntities, type XmlElement } from './parse-xml.ts'
