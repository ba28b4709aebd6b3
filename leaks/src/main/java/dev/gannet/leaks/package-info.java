/**
 * What watches tests for memory of Netty's that nobody gives back. Registers itself with JUnit in
 * every room that has it on its test class path.
 *
 * <p>Nothing here may be needed outside of tests.
 */
@NullMarked
package dev.gannet.leaks;

import org.jspecify.annotations.NullMarked;
