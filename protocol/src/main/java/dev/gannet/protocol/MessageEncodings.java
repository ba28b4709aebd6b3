package dev.gannet.protocol;

import dev.gannet.api.Compressor;
import dev.gannet.api.CompressorRegistry;
import dev.gannet.api.Decompressor;
import dev.gannet.api.DecompressorRegistry;
import dev.gannet.http2.hpack.HeaderList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The message encodings that a channel or server knows. Immutable. */
public final class MessageEncodings {
  /** The built-in ones. */
  public static final MessageEncodings DEFAULT =
      new MessageEncodings(CompressorRegistry.DEFAULT, DecompressorRegistry.DEFAULT);

  private final Map<String, Optional<MessageEncoding>> sent = new HashMap<>();
  private final Map<String, Optional<MessageEncoding>> read = new LinkedHashMap<>();
  private final Map<MessageEncoding, HeaderList> responseHeaders = new HashMap<>();
  private final HeaderList plainHeaders;
  private final String accept;

  private MessageEncodings(CompressorRegistry compressors, DecompressorRegistry decompressors) {
    Map<String, Compressor> compress = compressors.added();
    Map<String, Decompressor> decompress = decompressors.added();
    addBuiltIn(MessageEncoding.IDENTITY, sent);
    addBuiltIn(MessageEncoding.IDENTITY, read);
    String gzip = MessageEncoding.GZIP.wireName();
    if (compressors.names().contains(gzip) && !compress.containsKey(gzip)) {
      addBuiltIn(MessageEncoding.GZIP, sent);
    }
    if (decompressors.names().contains(gzip) && !decompress.containsKey(gzip)) {
      addBuiltIn(MessageEncoding.GZIP, read);
    }
    Set<String> sentOrRead = new LinkedHashSet<>(decompress.keySet());
    sentOrRead.addAll(compress.keySet());
    for (String name : sentOrRead) {
      MessageEncoding encoding = new AddedEncoding(name, compress.get(name), decompress.get(name));
      if (compress.containsKey(name)) {
        sent.put(name, Optional.of(encoding));
      }
      if (decompress.containsKey(name)) {
        read.put(name, Optional.of(encoding));
      }
    }
    accept = String.join(",", read.keySet());
    plainHeaders = ResponseFields.headers(MessageEncoding.IDENTITY, accept);
    sent.values()
        .forEach(one ->
            one.ifPresent(it -> responseHeaders.put(it, ResponseFields.headers(it, accept))));
  }

  private static void addBuiltIn(
      MessageEncoding encoding, Map<String, Optional<MessageEncoding>> known) {
    known.put(encoding.wireName(), Optional.of(encoding));
  }

  /** The encodings of these registries, and identity. */
  public static MessageEncodings of(
      CompressorRegistry compressors, DecompressorRegistry decompressors) {
    return compressors.equals(CompressorRegistry.DEFAULT)
            && decompressors.equals(DecompressorRegistry.DEFAULT)
        ? DEFAULT
        : new MessageEncodings(compressors, decompressors);
  }

  /** The value of {@code grpc-accept-encoding}: all encodings that are accepted. */
  public String accept() {
    return accept;
  }

  /** The encoding with exactly that name for received messages; empty if it is not accepted. */
  public Optional<MessageEncoding> read(String name) {
    return read.getOrDefault(name, Optional.empty());
  }

  /** The encoding with exactly that name for sent messages; empty if there is none. */
  public Optional<MessageEncoding> sent(String name) {
    return sent.getOrDefault(name, Optional.empty());
  }

  /** The names of the encodings for sent messages, sorted and separated by commas. */
  public String sentNames() {
    return String.join(", ", new TreeSet<>(sent.keySet()));
  }

  /**
   * The first header fields of responses whose messages may be in that encoding: always the same
   * object.
   */
  public HeaderList responseHeaders(MessageEncoding encoding) {
    return encoding == MessageEncoding.IDENTITY
        ? plainHeaders
        : responseHeaders.getOrDefault(encoding, plainHeaders);
  }
}
