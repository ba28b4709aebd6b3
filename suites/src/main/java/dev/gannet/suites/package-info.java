/**
 * What tests stand on: a scripted HTTP/2 peer, a virtual clock, a simulated network with seeds, a
 * JUnit extension.
 *
 * <p>Nothing here may sleep, open a socket or read the real clock, and no other room but a leaf may
 * need it outside its tests.
 */
@NullMarked
package dev.gannet.suites;

import org.jspecify.annotations.NullMarked;
