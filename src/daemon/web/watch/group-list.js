import { requestJson } from '../api.js'

/**
 * The dialog with the groups of the server. A group with a password prompts for it.
 * @param {{dialog: HTMLDialogElement, list: HTMLElement, empty: HTMLElement, form: HTMLFormElement, password: HTMLInputElement, passwordOf:
 * HTMLElement, problem: HTMLElement}} parts
 * @param {(group: {groupId: string, password?: string}) => void} onJoin
 */
export function createGroupList({ dialog, list, empty, form, password, passwordOf, problem }, onJoin) {
  let wanted

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    onJoin({ groupId: wanted, password: password.value })
    dialog.close()
  })
  dialog.addEventListener('close', () => form.reset())

  function askPassword(groupId, name) {
    wanted = groupId
    passwordOf.textContent = name === undefined ? 'Password of the group' : `Password of “${name}”`
    form.hidden = false
    password.focus()
  }

  function entryOf({
    id,
    name,
    member_count: count,
    member_names: names,
    has_password: hasPassword,
    is_playing: isPlaying,
  }) {
    const button = document.createElement('button')
    button.type = 'button'
    const people = count === 1 ? '1 member' : `${count} members`
    const facts = [people, names.join(', '), isPlaying && 'playing', hasPassword && 'password'].filter(Boolean)
    button.textContent = `${name} · ${facts.join(' · ')}`
    button.addEventListener('click', () => {
      if (hasPassword) return askPassword(id, name)
      onJoin({ groupId: id })
      dialog.close()
    })
    const entry = document.createElement('li')
    entry.append(button)
    return entry
  }

  function openDialog() {
    problem.textContent = ''
    form.hidden = true
    if (!dialog.open) dialog.showModal()
  }

  return {
    isOpen: () => dialog.open,
    showProblem: (text) => (problem.textContent = text),
    async show() {
      openDialog()
      try {
        const { groups } = await requestJson('/api/v1/syncplay/groups')
        // Those without members only wait for somebody who has lost the connection.
        const inUse = groups.filter(({ member_count: count }) => count > 0)
        list.replaceChildren(...inUse.map(entryOf))
        empty.hidden = inUse.length > 0
      } catch (error) {
        problem.textContent = error.message
      }
    },
    /** Asks for the password of a group that was reached by its link. */
    askPassword(groupId, text) {
      openDialog()
      list.replaceChildren()
      empty.hidden = true
      problem.textContent = text
      askPassword(groupId)
    },
  }
}
