export { findChild, findChildren, parseXml, resolveEntities, type XmlElement } from './parse-xml.ts'
