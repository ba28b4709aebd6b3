/**
 * HTTP/2 for attackers: frames and header blocks, correct or wrong as requested, and plain blocking
 * sockets to send them on.
 *
 * <p>It uses no code of the engine under attack, so that both cannot have the same mistake. Attacks
 * do not belong here.
 */
@NullMarked
package dev.gannet.conformance.gauntlet.wire;

import org.jspecify.annotations.NullMarked;
