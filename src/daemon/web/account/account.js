import { SignedOut } from '../api.js'
import { createDeviceList } from './device-list.js'
import { createEnterCode } from './enter-code.js'
import { createKeyList } from './key-list.js'
import { createOwnAccount } from './own-account.js'
import { createOwnPassword } from './own-password.js'
import { createPinWarning } from './pin-warning.js'
import { createSignInWays } from './sign-in-ways.js'
import { createShareList } from '../share/share-list.js'

/**
 * The dialog of the account: sign-in of another device, devices that are signed in, ways to sign in, shared links, API keys, and the data of the
 * user.
 * @param {HTMLDialogElement} dialog
 * @param {{onSignedOut: () => void, onDeleted: () => void, onPinWanted: () => void}} listeners
 */
export function createAccount(dialog, { onSignedOut, onDeleted, onPinWanted }) {
  const part = (id) => dialog.querySelector(`#${id}`)
  const problem = part('account-problem')

  /** Shows the failures of all actions of the dialog. */
  async function guarded(work) {
    problem.textContent = ''
    try {
      await work()
    } catch (error) {
      if (!(error instanceof SignedOut)) {
        problem.textContent = error.message
        problem.scrollIntoView({ block: 'nearest' })
        return
      }
      dialog.close()
      onSignedOut()
    }
  }

  const devices = createDeviceList({ list: part('device-list'), others: part('devices-revoke') }, { guarded })
  const enterCode = createEnterCode(part('enter-code'), { guarded })

  const shares = createShareList({ list: part('share-list'), empty: part('shares-empty') }, { guarded })
  const keys = createKeyList({ form: part('new-key'), list: part('key-list') }, { guarded })

  const own = createOwnAccount(part('own-account'), { guarded, onDeleted })
  const { withRecentSignIn } = own
  const ownPassword = createOwnPassword(
    { form: part('password-form'), result: part('password-result') },
    { guarded, onChanged: devices.load },
  )
  const pinWarning = createPinWarning(
    { frame: part('pin-warning'), button: part('pin-wanted') },
    {
      onWanted() {
        dialog.close()
        onPinWanted()
      },
    },
  )
  const ways = createSignInWays({ list: part('way-list'), empty: part('ways-empty') }, { guarded, withRecentSignIn })

  part('account-close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    enterCode.reset()
    devices.clear()
    keys.clear()
    ways.clear()
    own.clear()
    ownPassword.clear()
    shares.clear()
  })

  return {
    open() {
      if (!dialog.open) dialog.showModal()
      void guarded(async () => {
        const parts = [devices, keys, shares, ways, own, pinWarning]
        await Promise.all(parts.map((shown) => shown.load()))
      })
    },
    close: () => dialog.close(),
  }
}
