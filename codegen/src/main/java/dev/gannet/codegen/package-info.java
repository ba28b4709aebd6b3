/**
 * The {@code protoc} plug-in that writes Gannet's stubs and service interfaces, in Java.
 *
 * <p>It runs at build time only; nothing of it may be needed by a running program.
 */
@NullMarked
package dev.gannet.codegen;

import org.jspecify.annotations.NullMarked;
