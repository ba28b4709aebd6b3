package dev.gannet.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The files of a request, linked with each other. */
final class ProtoFiles {
  private ProtoFiles() {}

  /**
   * The linked files by name.
   *
   * @param protos the files, each after those it imports, as protoc sends them; imports that only
   *     define options may be missing
   */
  static Map<String, FileDescriptor> link(List<FileDescriptorProto> protos) {
    Map<String, FileDescriptor> linked = new LinkedHashMap<>();
    for (FileDescriptorProto proto : protos) {
      linked.put(proto.getName(), link(proto, linked));
    }
    return linked;
  }

  private static FileDescriptor link(
      FileDescriptorProto proto, Map<String, FileDescriptor> linked) {
    FileDescriptor[] imports =
        proto.getDependencyList().stream()
            .map(linked::get)
            .filter(Objects::nonNull)
            .toArray(FileDescriptor[]::new);
    try {
      return FileDescriptor.buildFrom(proto, imports, true);
    } catch (DescriptorValidationException e) {
      throw new InvalidRequestException(
          "The file %s is invalid: %s.".formatted(proto.getName(), e.getMessage()));
    }
  }
}
