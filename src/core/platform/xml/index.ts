export { childOf, childrenOf, readXml, resolveEntities, type XmlElement } from './read-xml.ts'
