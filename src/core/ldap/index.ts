export { inspectLdapDirectory } from './inspect-ldap-directory.ts'
export { readLdapOptions } from './ldap-options.ts'
export { createLdapProvider, LDAP_PROVIDER } from './ldap-provider.ts'
