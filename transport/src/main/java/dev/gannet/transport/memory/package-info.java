/**
 * What the connections of a process share: bytes held, parsing work, and spare arrays.
 *
 * <p>A connection joins a budget and reports each change of what it holds. Over the limit, the
 * budget closes connections, those that waste most first. Safe for use by many threads; imports
 * nothing else of this module.
 */
@NullMarked
package dev.gannet.transport.memory;

import org.jspecify.annotations.NullMarked;
