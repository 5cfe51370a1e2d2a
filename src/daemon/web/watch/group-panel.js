const MAX_LINES = 100

const STATES = { idle: 'Nothing selected', waiting: 'Waiting', playing: 'Playing', paused: 'Paused' }

/**
 * The group below the film: its members with their state, the link for others and the chat. All names and messages are from other people
 * and are set as text.
 * @param {Record<'section' | 'title' | 'state' | 'link' | 'members' | 'chat', HTMLElement>} parts
 */
export function createGroupPanel({ section, title, state, link, members, chat }) {
  function addLine(name, text) {
    const line = document.createElement('li')
    if (name === undefined) line.className = 'note'
    else line.append(Object.assign(document.createElement('b'), { textContent: name }))
    line.append(text)
    chat.append(line)
    while (chat.children.length > MAX_LINES) chat.firstChild.remove()
    chat.scrollTop = chat.scrollHeight
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
    entry.textContent = [member.name, ...notes].join(' · ')
    return entry
  }

  return {
    /** @param {object | undefined} group undefined: no group */
    show(group, ownId) {
      section.hidden = group === undefined
      if (group === undefined) return chat.replaceChildren()
      title.textContent = group.group_name
      link.href = `/#watch=${group.group_id}`
      members.replaceChildren(...group.members.map((member) => memberEntry(member, ownId)))
    },
    showTimeline: (timeline) => (state.textContent = STATES[timeline.state] ?? ''),
    showChat(messages) {
      chat.replaceChildren()
      for (const { member_name: name, message } of messages) addLine(name, message)
    },
    /** A message of a member, or a note of the server. */
    take({ type, member_name: name, message }) {
      if (type === 'syncplay_chat') addLine(name, message)
      if (type === 'syncplay_info') addLine(undefined, message)
    },
    note: (text) => addLine(undefined, text),
  }
}
