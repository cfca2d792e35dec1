/* SPDX-License-Identifier: MIT */
/* base64 - of RFC 4648, with the padding that Go wants. */
#ifndef WICKET_CLUSTER_BASE64_H
#define WICKET_CLUSTER_BASE64_H

/* The result is to be freed; null: no memory, or errno EPROTO: that is no base64. */
char *base64_encode(const char *text);
char *base64_decode(const char *code);

#endif
