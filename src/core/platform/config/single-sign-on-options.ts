import { issuerProblem } from './issuer-address.ts'
import { boolean, matching, text } from './option-kinds.ts'

const SCOPES = [
  /^(?=(?:\S+ )*openid(?: |$))\S{1,100}(?: \S{1,100}){0,20}$/,
  'must be words with openid among them',
] as const
const NAME = [/^[^\p{C}]{1,40}$/u, 'must be 1 to 40 characters'] as const
const CLAIM = [/^[^\s\p{C}]{1,200}$/u, 'must be the name of a claim, without spaces'] as const

/** Sign-in at an OpenID provider. */
export const singleSignOnOptions = {
  'auth.oidc.issuer': {
    ...text(undefined, {
      env: ['PHLIX_OIDC_ISSUER'],
      doc: 'Issuer of the OpenID provider at which people sign in, for example `https://auth.example.org`. Needs `auth.oidc.client_id` and `server.public_url`. Unset: no single sign-on.',
    }),
    check: issuerProblem,
  },
  'auth.oidc.client_id': text(undefined, {
    env: ['PHLIX_OIDC_CLIENT_ID'],
    doc: 'Id of this server at the provider.',
  }),
  'auth.oidc.client_secret': text(undefined, {
    env: ['PHLIX_OIDC_CLIENT_SECRET'],
    secret: true,
    doc: 'Secret of this server at the provider. Unset: it is a public client.',
  }),
  'auth.oidc.name': matching('Single sign-on', NAME, {
    env: ['PHLIX_OIDC_NAME'],
    doc: 'Name of the provider on the button of the sign-in page.',
  }),
  'auth.oidc.scopes': matching('openid profile email', SCOPES, {
    env: ['PHLIX_OIDC_SCOPES'],
    doc: 'Scopes that are requested, separated by spaces. Some providers name groups only with the scope `groups`.',
  }),
  'auth.oidc.groups_claim': matching('groups', CLAIM, {
    env: ['PHLIX_OIDC_GROUPS_CLAIM'],
    doc: 'Claim with the groups of a person; dots lead into it, as in `realm_access.roles`.',
  }),
  'auth.oidc.admin_group': text(undefined, {
    env: ['PHLIX_OIDC_ADMIN_GROUP'],
    doc: 'Group whose members are administrators. At each sign-in at the provider the right is given or taken. Unset: the provider does not decide it.',
  }),
  'auth.oidc.create_accounts': boolean(false, {
    env: ['PHLIX_OIDC_CREATE_ACCOUNTS'],
    doc: 'Everybody who can sign in at the provider gets an account. Off: only people whose account is linked can sign in.',
  }),
} as const
