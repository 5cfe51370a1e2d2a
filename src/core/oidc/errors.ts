import { defineErrors } from '../platform/errors/index.ts'

export const oidcErrors = defineErrors({
  oidc_not_configured: {
    kind: 'not_found',
    title: 'Single sign-on is not configured',
    doc: 'The option `auth.oidc.issuer` is not set.',
  },
  oidc_unavailable: {
    kind: 'unavailable',
    title: 'The sign-in provider does not answer',
    doc: 'The OpenID provider cannot be reached, or its answer is not that of a provider.',
  },
  oidc_request_expired: {
    kind: 'unauthenticated',
    title: 'The sign-in has expired',
    doc: 'The sign-in was not started by this browser, was completed already, or took longer than ten minutes. Begin again.',
  },
  oidc_refused: {
    kind: 'unauthenticated',
    title: 'The sign-in provider refused',
    doc: 'The OpenID provider has answered that the person is not signed in, for example because access was denied.',
  },
  oidc_invalid_reply: {
    kind: 'unauthenticated',
    title: 'The answer of the sign-in provider is not valid',
    doc: 'A check of the answer failed: issuer, signature, audience, nonce, times or PKCE. The log has the reason.',
  },
  oidc_code_invalid: {
    kind: 'unauthenticated',
    title: 'The one-time code is not valid',
    doc: 'The code of a single sign-on is unknown, older than a minute or used, or its verifier is wrong.',
  },
  oidc_other_person: {
    kind: 'conflict',
    title: 'Another person has signed in at the provider',
    doc: 'The account was to be linked to the person of an earlier sign-in at the provider, and now another one has signed in there. Nothing was linked.',
  },
  oidc_logout_token_invalid: {
    kind: 'invalid',
    title: 'Logout token is not valid',
    doc: 'A check of the logout token of the OpenID provider failed, or the token was used before.',
  },
})
