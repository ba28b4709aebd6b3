/**
 * The protoc plug-in: from the definition of a service to its Java source.
 *
 * <p>{@code Main} is the edge to protoc, {@code Generator} turns a request into a response, the
 * {@code …File} classes write one kind of source file each. What does not belong here: anything
 * that generated code needs when it runs, and message classes, which protoc writes itself.
 */
@NullMarked
package dev.gannet.codegen;

import org.jspecify.annotations.NullMarked;
