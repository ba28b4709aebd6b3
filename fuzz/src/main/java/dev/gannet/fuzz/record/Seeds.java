package dev.gannet.fuzz.record;

import dev.gannet.http2.frame.Flags;
import dev.gannet.http2.frame.FrameHeader;
import dev.gannet.http2.frame.FrameType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** Creates inputs for the targets from what one end of a connection sent. */
final class Seeds {
  private static final int PREFACE_BYTES = 24;
  private static final int MAX_INPUT_BYTES = 8 << 10;
  private static final int LARGEST_STREAM_ID =
      250; // larger values do not fit into a byte of a script
  private static final int NAME_BYTES = 10;
  private static final byte[] MARK = {(byte) 0xfa, (byte) 0xce};

  /** Options and a seed, all 0. */
  private static final byte[] PLAIN_OPTIONS = new byte[5];

  private static final byte[] CHUNKS_OPTIONS = {1, 0, 0, 0, 0};
  private static final byte[] ONE_OPTION = {0};

  private final Path folder;

  Seeds(Path folder) {
    this.folder = folder;
  }

  /** The bytes that a client sent, including its preface. */
  void ofClient(byte[] said) throws IOException {
    if (said.length > PREFACE_BYTES) {
      byte[] frames = new byte[said.length - PREFACE_BYTES];
      System.arraycopy(said, PREFACE_BYTES, frames, 0, frames.length);
      of("server", frames);
    }
  }

  /** The bytes that a server sent. */
  void ofServer(byte[] said) throws IOException {
    of("client", said);
  }

  private void of(String target, byte[] said) throws IOException {
    write(target, PLAIN_OPTIONS, said);
    write("frames", PLAIN_OPTIONS, said);
    ByteArrayOutputStream chunks = new ByteArrayOutputStream();
    ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    Map<Integer, ByteArrayOutputStream> data = new TreeMap<>();
    ByteBuffer in = ByteBuffer.wrap(said);
    while (in.remaining() >= FrameHeader.BYTES) {
      int lengthAndType = in.getInt();
      int type = lengthAndType & 0xff;
      int flags = in.get();
      int streamId = in.getInt() & Integer.MAX_VALUE;
      byte[] payload = new byte[Math.min(in.remaining(), lengthAndType >>> 8)];
      in.get(payload);
      if (streamId <= LARGEST_STREAM_ID) {
        chunks.writeBytes(MARK);
        chunks.writeBytes(new byte[] {(byte) type, (byte) flags, (byte) streamId});
        chunks.writeBytes(payload);
      }
      boolean plain = !Flags.has(flags, Flags.PADDED | Flags.PRIORITY);
      if (type == FrameType.HEADERS && plain && Flags.has(flags, Flags.END_HEADERS)) {
        blocks.writeBytes(MARK);
        blocks.writeBytes(payload);
      }
      if (type == FrameType.DATA && plain) {
        data.computeIfAbsent(streamId, first -> new ByteArrayOutputStream()).writeBytes(payload);
      }
    }
    write(target, CHUNKS_OPTIONS, withoutFirstMark(chunks));
    write("hpack-decode", ONE_OPTION, withoutFirstMark(blocks));
    write("headers", ONE_OPTION, withoutFirstMark(blocks));
    for (ByteArrayOutputStream of : data.values()) {
      write("messages", PLAIN_OPTIONS, of.toByteArray());
    }
  }

  private static byte[] withoutFirstMark(ByteArrayOutputStream marked) {
    byte[] all = marked.toByteArray();
    int from = Math.min(MARK.length, all.length);
    byte[] rest = new byte[all.length - from];
    System.arraycopy(all, from, rest, 0, rest.length);
    return rest;
  }

  private void write(String target, byte[] options, byte[] bytes) throws IOException {
    if (bytes.length == 0 || bytes.length > MAX_INPUT_BYTES) {
      return;
    }
    ByteBuffer input = ByteBuffer.allocate(options.length + bytes.length).put(options).put(bytes);
    Path to = Files.createDirectories(folder.resolve(target));
    Files.write(to.resolve(nameOf(input.array())), input.array());
  }

  /** Equal inputs have the same name. */
  private static String nameOf(byte[] input) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
      return HexFormat.of().formatHex(digest, 0, NAME_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
