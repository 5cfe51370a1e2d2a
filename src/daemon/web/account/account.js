import { SignedOut } from '../api.js'
import { createDeviceList } from './device-list.js'
import { createEnterCode } from './enter-code.js'
import { createKeyList } from './key-list.js'
import { createShareList } from '../share/share-list.js'

/**
 * The dialog of the account: sign-in of another device, the devices that are signed in, shared links, and API keys.
 * @param {HTMLDialogElement} dialog
 * @param {{onSignedOut: () => void}} listeners
 */
export function createAccount(dialog, { onSignedOut }) {
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

  part('account-close').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => {
    enterCode.reset()
    devices.clear()
    keys.clear()
    shares.clear()
  })

  return {
    open() {
      if (!dialog.open) dialog.showModal()
      void guarded(async () => {
        await Promise.all([devices.load(), keys.load(), shares.load()])
      })
    },
    close: () => dialog.close(),
  }
}
