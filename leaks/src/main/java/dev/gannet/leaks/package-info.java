/**
 * Detects memory of Netty that tests do not release. It registers itself with JUnit in every module
 * that has it on its test class path.
 *
 * <p>Nothing here may be needed outside of tests.
 */
@NullMarked
package dev.gannet.leaks;

import org.jspecify.annotations.NullMarked;
