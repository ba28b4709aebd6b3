package dev.gannet.conformance.connect;

import connectrpc.conformance.v1.Service.Header;
import dev.gannet.api.Metadata;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Metadata as the suite writes it: the values of one name together, and binary values in base64.
 */
final class Fields {
  private static final Base64.Encoder BASE64 = Base64.getEncoder().withoutPadding();

  private Fields() {}

  static Metadata metadata(List<Header> headers) {
    Metadata metadata = new Metadata();
    for (Header header : headers) {
      header.getValueList().forEach(value -> put(metadata, header.getName(), value));
    }
    return metadata;
  }

  static List<Header> headers(Metadata metadata) {
    Map<String, Header.Builder> byName = new LinkedHashMap<>();
    metadata.forEach(new Collecting(byName));
    List<Header> headers = new ArrayList<>();
    byName.values().forEach(header -> headers.add(header.build()));
    return headers;
  }

  private static void put(Metadata metadata, String name, String value) {
    if (name.endsWith(Metadata.BINARY_SUFFIX)) {
      metadata.add(Metadata.Key.binary(name), Base64.getDecoder().decode(value));
    } else {
      metadata.add(Metadata.Key.ascii(name), value);
    }
  }

  private record Collecting(Map<String, Header.Builder> byName) implements Metadata.Visitor {
    @Override
    public void text(String name, String value) {
      byName.computeIfAbsent(name, it -> Header.newBuilder().setName(it)).addValue(value);
    }

    @Override
    public void binary(String name, byte[] value) {
      text(name, BASE64.encodeToString(value));
    }
  }
}
