package dev.gannet.codegen;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.DescriptorProtos.SourceCodeInfo.Location;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The comments of a {@code .proto} file on its services and their methods. */
record SourceComments(Map<List<Integer>, String> byPath) {
  static SourceComments of(FileDescriptorProto file) {
    Map<List<Integer>, String> comments = new HashMap<>();
    for (Location location : file.getSourceCodeInfo().getLocationList()) {
      String leading = location.getLeadingComments();
      String comment = leading.isBlank() ? location.getTrailingComments() : leading;
      if (!comment.isBlank()) {
        comments.putIfAbsent(location.getPathList(), comment);
      }
    }
    return new SourceComments(comments);
  }

  /**
   * The comment before the service, otherwise the one after its opening brace; blank if there is
   * none.
   */
  String ofService(int service) {
    return at(FileDescriptorProto.SERVICE_FIELD_NUMBER, service);
  }

  /** The comment before the method, otherwise the one after it; blank if there is none. */
  String ofMethod(int service, int method) {
    return at(
        FileDescriptorProto.SERVICE_FIELD_NUMBER,
        service,
        ServiceDescriptorProto.METHOD_FIELD_NUMBER,
        method);
  }

  private String at(Integer... path) {
    return byPath.getOrDefault(List.of(path), "");
  }
}
