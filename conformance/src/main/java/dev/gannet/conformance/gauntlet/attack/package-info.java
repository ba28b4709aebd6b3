/**
 * The attacks: one small class each, or one for a family. Each names what it is known as, and what
 * a server that is right does about it.
 *
 * <p>How attacks are run against a server, and what it costs honest clients, is measured elsewhere.
 */
@NullMarked
package dev.gannet.conformance.gauntlet.attack;

import org.jspecify.annotations.NullMarked;
