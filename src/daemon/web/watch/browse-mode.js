/**
 * The list of films while a member of a group looks for another film: the player is out of the way, and the group goes on.
 * @param {{bar: HTMLElement, text: HTMLElement, back: HTMLButtonElement, open: HTMLButtonElement}} parts
 * @param {{dialog: HTMLDialogElement, groupName: () => string | undefined, onBack: () => void}} page
 */
export function createBrowseMode({ bar, text, back, open }, { dialog, groupName, onBack }) {
  const isActive = () => !bar.hidden

  function begin() {
    bar.hidden = false
    document.body.classList.add('is-choosing')
    text.textContent = `Choose a film for “${groupName()}”. The group goes on meanwhile.`
    dialog.close()
    back.focus()
  }

  open.addEventListener('click', begin)
  back.addEventListener('click', onBack)

  return {
    isActive,
    end() {
      bar.hidden = true
      document.body.classList.remove('is-choosing')
    },
    /** The button of a film that adds it to the queue; shown only while a film is chosen. */
    queueButton(item, enqueue) {
      const button = Object.assign(document.createElement('button'), {
        type: 'button',
        className: 'quiet small to-queue',
      })
      button.textContent = 'Add to the queue'
      button.setAttribute('aria-label', `Add ${item.name} to the queue`)
      button.addEventListener('click', () => {
        text.textContent = enqueue() ? `${item.name} was sent to the queue.` : 'The connection is lost. Try again.'
      })
      return button
    },
  }
}
