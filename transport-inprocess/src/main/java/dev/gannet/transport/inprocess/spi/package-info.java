/** How {@code ServiceLoader} finds the in-process transport. */
@NullMarked
package dev.gannet.transport.inprocess.spi;

import org.jspecify.annotations.NullMarked;
