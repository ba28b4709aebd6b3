/**
 * Tools for tests: a scripted HTTP/2 peer, a virtual clock, a simulated network with seeds, a JUnit
 * extension.
 *
 * <p>Nothing here may sleep, open a socket or read the real clock. Other modules may need this one
 * only in their tests, except modules on which none depends.
 */
@NullMarked
package dev.gannet.suites;

import org.jspecify.annotations.NullMarked;
