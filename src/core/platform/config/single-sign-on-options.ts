import { issuerProblem } from './issuer-address.ts'
import { libraryGroupsProblem } from './library-groups.ts'
import { directoryAddressProblem } from './directory-address.ts'
import { booleanOption, patternOption, textOption } from './option-kinds.ts'

const SCOPES = [
  /^(?=(?:\S+ )*openid(?: |$))\S{1,100}(?: \S{1,100}){0,20}$/,
  'must be words with openid among them',
] as const
const NAME = [/^[^\p{C}]{1,40}$/u, 'must be 1 to 40 characters'] as const
const FILTER = [/^\(.{0,990}\{username\}.{0,990}\)$/s, 'must be a filter in parentheses with {username}'] as const
const ATTRIBUTE = [/^[A-Za-z][\w-]{0,63}$/, 'must be the name of an attribute'] as const
const CLAIM = [/^[^\s\p{C}]{1,200}$/u, 'must be the name of a claim, without spaces'] as const

/** An empty name would be no group, which takes the rights of all administrators. */
const GROUP = [/^[^\p{C}]{1,1000}$/u, 'must be 1 to 1000 characters'] as const

/** Sign-in at an OpenID provider, and with the password of a directory. */
export const singleSignOnOptions = {
  'auth.oidc.issuer': {
    ...textOption(undefined, {
      env: ['PHLIX_OIDC_ISSUER'],
      doc: 'Issuer of the OpenID provider at which people sign in, for example `https://auth.example.org`. Needs `auth.oidc.client_id` and `server.public_url`. Unset: no single sign-on.',
    }),
    check: issuerProblem,
  },
  'auth.oidc.client_id': textOption(undefined, {
    env: ['PHLIX_OIDC_CLIENT_ID'],
    doc: 'Id of this server at the provider.',
  }),
  'auth.oidc.client_secret': textOption(undefined, {
    env: ['PHLIX_OIDC_CLIENT_SECRET'],
    secret: true,
    doc: 'Secret of this server at the provider. Unset: it is a public client.',
  }),
  'auth.oidc.name': patternOption('Single sign-on', NAME, {
    env: ['PHLIX_OIDC_NAME'],
    doc: 'Name of the provider on the button of the sign-in page.',
  }),
  'auth.oidc.scopes': patternOption('openid profile email', SCOPES, {
    env: ['PHLIX_OIDC_SCOPES'],
    doc: 'Scopes that are requested, separated by spaces. Some providers name groups only with the scope `groups`.',
  }),
  'auth.oidc.groups_claim': patternOption('groups', CLAIM, {
    env: ['PHLIX_OIDC_GROUPS_CLAIM'],
    doc: 'Claim with the groups of a person; dots lead into it, as in `realm_access.roles`.',
  }),
  'auth.oidc.admin_group': patternOption(undefined, GROUP, {
    env: ['PHLIX_OIDC_ADMIN_GROUP'],
    doc: 'Group whose members are administrators. At each sign-in at the provider the right is given or taken. Unset: the provider does not decide it.',
  }),
  'auth.oidc.library_groups': {
    ...textOption(undefined, {
      env: ['PHLIX_OIDC_LIBRARY_GROUPS'],
      doc: 'Libraries that the members of groups see, by name or id: `kids=Cartoons,Music;family=*`, where `*` is all. At each sign-in at the provider they are set to those of all groups of the person; without one of these groups there are none. Administrators are not limited. Unset: the provider does not decide it.',
    }),
    check: libraryGroupsProblem,
  },
  'auth.oidc.create_accounts': booleanOption(false, {
    env: ['PHLIX_OIDC_CREATE_ACCOUNTS'],
    doc: 'Everybody who can sign in at the provider gets an account. Off: only people whose account is linked can sign in.',
  }),
  'auth.ldap.url': {
    ...textOption(undefined, {
      env: ['PHLIX_LDAP_URL'],
      doc: 'Address of an LDAP directory whose names and passwords are accepted, for example `ldaps://directory.example.org`. Needs `auth.ldap.base_dn`. Unset: none.',
    }),
    check: directoryAddressProblem,
  },
  'auth.ldap.start_tls': booleanOption(false, {
    env: ['PHLIX_LDAP_START_TLS'],
    doc: 'Encrypts connections to an `ldap` address by StartTLS. Without it, `ldap` is accepted only on this machine.',
  }),
  'auth.ldap.ca_file': textOption(undefined, {
    env: ['PHLIX_LDAP_CA_FILE'],
    doc: 'File with the certificates (PEM) of the authorities of the directory. Unset: those of Node.',
  }),
  'auth.ldap.bind_dn': textOption(undefined, {
    env: ['PHLIX_LDAP_BIND_DN'],
    doc: 'Account of the directory that searches for people. Unset: the search is anonymous.',
  }),
  'auth.ldap.bind_password': textOption(undefined, {
    env: ['PHLIX_LDAP_BIND_PASSWORD'],
    secret: true,
    doc: 'Password of that account.',
  }),
  'auth.ldap.base_dn': textOption(undefined, {
    env: ['PHLIX_LDAP_BASE_DN'],
    doc: 'Entry below which people are searched, for example `ou=people,dc=example,dc=org`.',
  }),
  'auth.ldap.user_filter': patternOption('(|(uid={username})(mail={username}))', FILTER, {
    env: ['PHLIX_LDAP_USER_FILTER'],
    doc: 'Filter that finds one person; `{username}` is the typed name, escaped.',
  }),
  'auth.ldap.id_attribute': patternOption('entryUUID', ATTRIBUTE, {
    env: ['PHLIX_LDAP_ID_ATTRIBUTE'],
    doc: 'Attribute that never changes for a person; `objectGUID` for Active Directory.',
  }),
  'auth.ldap.username_attribute': patternOption('uid', ATTRIBUTE, {
    env: ['PHLIX_LDAP_USERNAME_ATTRIBUTE'],
    doc: 'Attribute with the name of a new account; `sAMAccountName` for Active Directory.',
  }),
  'auth.ldap.email_attribute': patternOption('mail', ATTRIBUTE, {
    env: ['PHLIX_LDAP_EMAIL_ATTRIBUTE'],
    doc: 'Attribute with the e-mail address of a new account.',
  }),
  'auth.ldap.admin_group': patternOption(undefined, GROUP, {
    env: ['PHLIX_LDAP_ADMIN_GROUP'],
    doc: 'DN of the group whose members are administrators. At each sign-in with a password of the directory the right is given or taken. Unset: the directory does not decide it.',
  }),
  'auth.ldap.create_accounts': booleanOption(false, {
    env: ['PHLIX_LDAP_CREATE_ACCOUNTS'],
    doc: 'Everybody whom the directory accepts gets an account. Off: only people whose account is linked can sign in.',
  }),
  'accounts.local_sign_in': booleanOption(true, {
    env: ['PHLIX_LOCAL_SIGN_IN'],
    doc: 'Off: passwords and passkeys of this server are refused; people sign in at the provider of `auth.oidc` or with a password of `auth.ldap`, of which one must be configured. The account of `phlix user:rescue` can still sign in on the server itself.',
  }),
} as const
