import { currentUser } from '../api.js'

const MAX_NAME_LENGTH = 100

/**
 * The dialog that creates a group: its name, its password, and who controls playback.
 * @param {HTMLDialogElement} dialog
 * @param {(group: {name: string, password: string, everyoneControls: boolean}) => void} onCreate
 */
export function createNewGroup(dialog, onCreate) {
  const form = dialog.querySelector('form')
  const { name, password, everyone } = form.elements
  let isTyped = false
  name.addEventListener('input', () => (isTyped = true))

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    onCreate({ name: name.value.trim(), password: password.value, everyoneControls: everyone.checked })
    dialog.close()
  })
  dialog.querySelector('#new-group-cancel').addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => form.reset())

  return {
    /** @param {string} filmName */
    async open(filmName) {
      dialog.showModal()
      isTyped = false
      name.value = filmName.slice(0, MAX_NAME_LENGTH)
      name.select()
      const user = await currentUser().catch(() => undefined)
      if (user === undefined || isTyped) return
      // Groups with one film are told apart by who made them.
      name.value = `${filmName} · ${user.display_name ?? user.username}`.slice(0, MAX_NAME_LENGTH)
      name.select()
    },
    close: () => dialog.close(),
  }
}
