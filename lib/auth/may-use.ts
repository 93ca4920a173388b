import type { Who } from "@/lib/auth/role";

/** Whether somebody may see and change what is in a queue. */
export function mayUse({ queues }: Pick<Who, "queues">, queue: string): boolean {
  return queues === null || queues.includes(queue);
}
