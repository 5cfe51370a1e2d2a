export { findChild, findChildren, parseXml, decodeXmlEntities, type XmlElement } from './parse-xml.ts'
