import { Readable } from 'node:stream'
import { exportAccount } from '../../../core/account-export/index.ts'
import {
  changeOwnEmail,
  changeOwnPassword,
  deleteOwnAccount,
  listSignInLinks,
  readLocalSignIn,
  removeOwnLink,
  requireRecentSignIn,
} from '../../../core/accounts/index.ts'
import { accountView, signInLinkView } from '../../../core/views/index.ts'
import { attachmentHeader } from '../../http/attachment-header.ts'
import type { RoutePlugin } from '../../http/app-types.ts'
import { MessageReply } from '../../http/schemas.ts'
import { requireFullSessionOfRequest, signedInSession } from '../../http/signed-in-account.ts'
import { connectionClosedSignal } from '../../http/connection-closed-signal.ts'
import { OneAccount } from '../accounts/accounts.schemas.ts'
import { EmailBody, LinkList, PasswordBody } from './own-account.schemas.ts'

/** What people do with their own account: another address or password, a copy of its data, its end. */
export const ownAccountRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'PUT',
    url: '/email',
    config: { access: 'user', reveals: 'none', surface: 'email_change', invalidStatus: 422 },
    schema: { body: EmailBody, response: { 200: OneAccount } },
    handler: async (request) => {
      const { account, sessionId } = signedInSession(request)
      const session = { accountId: account.id, sessionId }
      return { user: accountView(await changeOwnEmail(services, { session, email: request.body.email })) }
    },
  })

  app.route({
    method: 'PUT',
    url: '/password',
    config: { access: 'user', reveals: 'none', surface: 'login', invalidStatus: 422 },
    schema: { body: PasswordBody, response: { 200: MessageReply } },
    handler: async (request, reply) => {
      const { account, sessionId } = signedInSession(request)
      const { current_password: currentPassword, new_password: newPassword } = request.body
      await changeOwnPassword(services, {
        session: { accountId: account.id, sessionId },
        currentPassword,
        newPassword,
        clientAddress: request.clientAddress,
        local: await readLocalSignIn(services, request.clientLocality),
        signal: connectionClosedSignal(reply),
      })
      return { message: 'Password changed. All other devices are signed out.' }
    },
  })

  app.route({
    method: 'GET',
    url: '/export',
    config: { access: 'user', reveals: 'items', surface: 'account_export', isOneAtATime: true },
    handler: async (request, reply) => {
      const { account, sessionId } = signedInSession(request)
      const session = { accountId: account.id, sessionId }
      await requireRecentSignIn(services.db, { session, now: services.clock.now() })
      const chunks = await exportAccount(services, { accountId: account.id })
      const date = services.clock.now().toISOString().slice(0, 10)
      return reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', attachmentHeader(`phlix-${account.username}-${date}.json`))
        .send(Readable.from(chunks, { objectMode: false }))
    },
  })

  app.route({
    method: 'DELETE',
    url: '',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: MessageReply } },
    handler: async (request) => {
      const { account, sessionId } = signedInSession(request)
      const { username } = await deleteOwnAccount(services, { session: { accountId: account.id, sessionId } })
      return { message: `${username} was deleted` }
    },
  })
}

/** The links of the account to persons of sign-in providers. */
export const ownLinkRoutes: RoutePlugin = (app, { services }) => {
  app.route({
    method: 'GET',
    url: '/sign-in-links',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: LinkList } },
    handler: async (request) => {
      const { account } = await requireFullSessionOfRequest(services, request)
      const links = await listSignInLinks(services, { accountId: account.id })
      return { links: links.map((link) => signInLinkView(link, services.config)) }
    },
  })

  app.route({
    method: 'DELETE',
    url: '/sign-in-links',
    config: { access: 'user', reveals: 'none' },
    schema: { response: { 200: MessageReply } },
    handler: async (request) => {
      const { account, sessionId } = signedInSession(request)
      await removeOwnLink(services, { accountId: account.id, sessionId })
      return { message: 'The link is removed' }
    },
  })
}
