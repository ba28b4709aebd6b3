/** What those need who run a server: its health, and what it can be asked. */
@NullMarked
package dev.gannet.examples.operations;

import org.jspecify.annotations.NullMarked;
