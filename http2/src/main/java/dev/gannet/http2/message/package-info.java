/**
 * The rules of HTTP for header lists (RFC 9113 §8): the grammar of fields, which pseudo-header
 * fields a message has, how long its content is.
 *
 * <p>Each field and each list is checked once, and the result is cached in it. This package
 * contains rules that a list or a count alone can break. It must not contain streams, frames, the
 * consequences of breaking a rule, or anything about gRPC.
 */
@NullMarked
package dev.gannet.http2.message;

import org.jspecify.annotations.NullMarked;
