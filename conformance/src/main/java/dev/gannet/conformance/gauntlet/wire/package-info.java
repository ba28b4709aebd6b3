/**
 * HTTP/2 as an attacker speaks it: frames and header blocks, right or wrong as asked, and plain
 * blocking sockets to put them on.
 *
 * <p>Knows nothing of the engine under attack and uses no line of it, so that a mistake of ours
 * cannot hide behind itself. No attack lives here.
 */
@NullMarked
package dev.gannet.conformance.gauntlet.wire;

import org.jspecify.annotations.NullMarked;
