const MAX_LINES = 100

const STATES = { idle: 'Nothing selected', waiting: 'Waiting', playing: 'Playing', paused: 'Paused' }

/**
 * The group beside the film: its state, its members, its queue and the chat. All names and messages are from other people and are set as text.
 * Notices replace each other in a live region; the log has messages only.
 * @param {Record<'section' | 'title' | 'link' | 'state' | 'control' | 'notice' | 'members' | 'queue' | 'queueFrame' | 'chat', HTMLElement>} parts
 * @param {{onTransfer: (memberId: string) => void, onDrop: (mediaId: string) => void}} actions of the host: the role for another member, and an
 *   entry of the queue that is removed
 */
export function createGroupPanel(parts, { onTransfer, onDrop }) {
  const { section, title, link, state, control, notice, members, queue, queueFrame, chat } = parts
  let group
  let waitedFor = []
  let timelineState

  const nameOf = (id) => group?.members.find((member) => member.id === id)?.name

  function addLine(name, text) {
    const line = document.createElement('li')
    line.append(Object.assign(document.createElement('b'), { textContent: name }), text)
    chat.append(line)
    while (chat.children.length > MAX_LINES) chat.firstChild.remove()
    chat.scrollTop = chat.scrollHeight
  }

  function buttonOf(text, label, onClick) {
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: text })
    button.className = 'quiet small'
    button.setAttribute('aria-label', label)
    button.addEventListener('click', onClick)
    return button
  }

  function memberEntry(member, ownId) {
    const entry = document.createElement('li')
    const isWaitedFor = member.is_connected && !member.is_ready
    entry.dataset['state'] = member.is_connected ? (isWaitedFor ? 'waiting' : 'ready') : 'away'
    const notes = [
      member.is_host && 'host',
      member.id === ownId && 'you',
      !member.is_connected && 'away',
      isWaitedFor && (member.is_catching_up ? 'catching up' : 'loading'),
    ].filter(Boolean)
    entry.append([member.name, ...notes].join(' · '))
    if (group.host_id === ownId && member.id !== ownId && member.is_connected)
      entry.append(buttonOf('Make host', `Make ${member.name} the host`, () => onTransfer(member.id)))
    return entry
  }

  function queueEntry({ media_id: id, media_info: info }, mayControl) {
    const name = typeof info?.name === 'string' ? info.name : 'Untitled'
    const entry = document.createElement('li')
    entry.append(name)
    if (mayControl) entry.append(buttonOf('Remove', `Remove ${name} from the queue`, () => onDrop(id)))
    return entry
  }

  /** A list that is drawn again keeps the focus on the button with the same label. */
  function redraw(list, entries) {
    const label = list.contains(document.activeElement) ? document.activeElement.getAttribute('aria-label') : null
    list.replaceChildren(...entries)
    if (label === null) return
    const same = [...list.querySelectorAll('button')].find((button) => button.getAttribute('aria-label') === label)
    ;(same ?? title).focus()
  }

  function showState() {
    const names = waitedFor.map(nameOf).filter(Boolean)
    const isWaiting = timelineState === 'waiting' && names.length > 0
    const text = isWaiting ? `Waiting for ${names.join(', ')}` : (STATES[timelineState] ?? '')
    // A live region speaks each time that it is set.
    if (state.textContent !== text) state.textContent = text
  }

  function describeControl(ownId) {
    if (group.everyone_controls) return 'Everybody controls playback.'
    return group.host_id === ownId ? 'You are the host: you control playback.' : 'The host controls playback.'
  }

  return {
    /** @param {object | undefined} next undefined: no group */
    show(next, ownId) {
      group = next
      section.hidden = group === undefined
      if (group === undefined) {
        waitedFor = []
        notice.textContent = ''
        return chat.replaceChildren()
      }
      title.textContent = group.group_name
      link.href = `/#watch=${group.group_id}`
      control.textContent = describeControl(ownId)
      redraw(
        members,
        group.members.map((member) => memberEntry(member, ownId)),
      )
      const mayControl = group.everyone_controls || group.host_id === ownId
      queueFrame.hidden = group.queue.length === 0
      redraw(
        queue,
        group.queue.map((entry) => queueEntry(entry, mayControl)),
      )
      showState()
    },
    showTimeline(timeline) {
      timelineState = timeline.state
      showState()
    },
    showChat(messages) {
      chat.replaceChildren()
      for (const { member_name: name, message } of messages) addLine(name, message)
    },
    /** A message of a member, or a notice of the server. */
    take({ type, member_name: name, message, for: ids }) {
      if (type === 'syncplay_chat') addLine(name, message)
      if (type === 'syncplay_info') notice.textContent = message
      if (type !== 'syncplay_waiting') return
      waitedFor = ids
      showState()
    },
    note: (text) => (notice.textContent = text),
    nameOf,
  }
}
