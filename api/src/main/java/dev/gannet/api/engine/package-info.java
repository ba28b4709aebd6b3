/**
 * Internal hooks that Gannet's modules share: access to objects of the users' API, threads that
 * wait for others, threads that work for others, and the time between two tries. Exported only to
 * those modules; it may change with any release.
 */
@NullMarked
package dev.gannet.api.engine;

import org.jspecify.annotations.NullMarked;
