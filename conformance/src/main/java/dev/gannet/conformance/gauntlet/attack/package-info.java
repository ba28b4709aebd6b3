/**
 * The attacks: one small class for each, or for a family. Each states the names under which it is
 * known, and what a correct server does about it.
 *
 * <p>Running attacks against a server, and measuring what they cost honest clients, is done
 * elsewhere.
 */
@NullMarked
package dev.gannet.conformance.gauntlet.attack;

import org.jspecify.annotations.NullMarked;
