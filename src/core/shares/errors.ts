import { defineErrors } from '../platform/errors/index.ts'

export const shareErrors = defineErrors({
  share_not_found: {
    kind: 'not_found',
    title: 'Link not found',
    doc: 'No link has this id, or the text of the link is wrong or incomplete.',
  },
  share_subject_not_found: {
    kind: 'not_found',
    title: 'Nothing to share',
    doc: 'There is no such item, album or collection, or the account may not see it.',
  },
  share_subject_ambiguous: {
    kind: 'invalid',
    title: 'Several albums have this name',
    doc: 'Several albums have this title. The answer lists them as artist/title, with their ids.',
  },
  not_shareable: {
    kind: 'invalid',
    title: 'This cannot be shared',
    doc: 'Films, series, seasons, episodes, videos, songs and photos can be shared; a link shows at most 1,000 of them, with all below.',
  },
  too_many_shares: {
    kind: 'conflict',
    title: 'Too many links',
    doc: 'An account has at most 100 links that have not ended.',
  },
  share_revoked: {
    kind: 'gone',
    title: 'The link was revoked',
    doc: 'The link was revoked, or its account cannot share any more.',
  },
  share_expired: { kind: 'gone', title: 'The link has expired', doc: 'The time of the link is over.' },
  share_used_up: {
    kind: 'gone',
    title: 'The link is used up',
    doc: 'The link was opened as often as it may be. Who opened it goes on seeing it.',
  },
  share_password_required: {
    kind: 'unauthenticated',
    title: 'The link has a password',
    doc: 'The link is opened with a password.',
  },
  share_password_wrong: {
    kind: 'unauthenticated',
    title: 'Wrong password',
    doc: 'The password of the link is wrong; ten wrong ones in 15 minutes lock the link for the address.',
  },
  share_not_open: {
    kind: 'unauthenticated',
    title: 'The link is not open here',
    doc: 'The request lacks the cookie that `POST /s/open` sets, or it belongs to another link.',
  },
  share_item_not_found: {
    kind: 'not_found',
    title: 'Not part of the link',
    doc: 'The link does not show an item or stream with this id.',
  },
  share_file_not_offered: {
    kind: 'forbidden',
    title: 'The file itself is not shared',
    doc: 'The link does not allow downloads, and browsers do not play this file without conversion.',
  },
})
