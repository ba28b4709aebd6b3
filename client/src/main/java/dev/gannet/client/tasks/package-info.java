/**
 * How a channel changes one thing at a time: tasks that run one after the other, on the threads
 * that bring them, timers that run in these tasks, and the graceful switch from one policy to the
 * next.
 *
 * <p>What does not belong here: what a task does.
 */
@NullMarked
package dev.gannet.client.tasks;

import org.jspecify.annotations.NullMarked;
