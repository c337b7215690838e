// Looking on as someone else. The server keeps it with the session; the page begins anew, so that nothing of the one is shown to the other.
import { http } from './http.ts'

export async function viewAs(userId: number): Promise<void> {
  await http.post(`user/${userId}/view_as`, {})
  window.location.assign('/')
}

export async function stopViewing(): Promise<void> {
  await http.delete('profile/view_as')
  window.location.assign('/users')
}
