/**
 * Messages compressed with Zstandard (RFC 8878), by zstd-jni: {@code grpc-encoding: zstd}.
 *
 * <p>Does not belong here: other encodings, and which calls are compressed.
 */
@NullMarked
package dev.gannet.zstd;

import org.jspecify.annotations.NullMarked;
