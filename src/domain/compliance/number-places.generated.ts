// Written by `npm run places`; tools/places/ says how. Derived from resources/timezones/map_data.txt and
// resources/geocoding/en/1.txt of libphonenumber, Copyright (C) The Libphonenumber Authors, under the Apache
// License 2.0 (licenses/), with corrections and with zones of IANA's data. Each line has a value, and the first
// digits of the numbers that have it.

/** The zones of the area codes of +1. */
export const AREA_CODE_ZONES = `
America/Adak America/Anchorage America/Juneau Pacific/Honolulu: 907
America/Anguilla: 264
America/Antigua: 268
America/Atikokan America/Toronto America/Winnipeg: 807
America/Barbados: 246
America/Blanc-Sablon America/Halifax America/Toronto: 367 418 581
America/Boise America/Denver America/Los_Angeles: 208 775 986
America/Boise America/Los_Angeles: 458
America/Cambridge_Bay America/Edmonton America/Fort_Nelson America/Rankin_Inlet America/Toronto America/Vancouver America/Whitehorse America/Winnipeg: 867
America/Cayman: 345
America/Chicago America/Denver America/North_Dakota/Center: 605 701
America/Chicago America/Denver: 308 620 785
America/Chicago America/New_York: 219 270 364 423 448 574 606 812 850 906 930
America/Chicago: 205 210 214 217 218 224 225 228 235 251 254 256 262 274 281 309 312 314 316 318 319 320 325 327 331 334 337 346 353 361 402 405 409 414 417 430 432 447 464 469 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 608 612 615 618 629 630 636 641 651 659 660 662 682 708 712 713 715 726 730 731 737 763 769 773 779 806 815 816 817 830 832 847 870 872 901 903 913 918 920 931 936 938 940 945 952 956 972 975 979 985
America/Denver America/Los_Angeles: 541
America/Denver America/Phoenix: 928
America/Denver: 303 307 385 406 435 505 575 719 720 748 801 915 970 983
America/Dominica: 767
America/Edmonton America/Vancouver: 236 250 257 672 778
America/Edmonton: 368 403 587 780 825
America/Grand_Turk: 649
America/Grenada: 473
America/Halifax America/Puerto_Rico America/St_Johns: 709 879
America/Halifax: 428 506 782 902
America/Jamaica: 658 876
America/Los_Angeles: 206 209 213 253 279 310 323 341 350 360 369 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 650 657 661 669 702 707 714 725 738 747 760 805 818 820 831 840 858 909 916 925 949 951 971
America/Lower_Princes: 721
America/Montserrat: 664
America/Nassau: 242
America/New_York: 201 202 203 207 212 215 216 220 223 227 229 231 234 239 240 248 252 260 267 269 272 276 283 301 302 304 305 313 315 317 321 324 326 329 330 332 336 339 347 351 352 363 380 386 401 404 407 410 412 413 419 434 440 443 445 463 470 472 475 478 484 502 508 513 516 517 518 540 551 561 567 570 571 582 585 586 603 607 609 610 614 616 617 631 640 645 646 656 667 678 680 681 686 689 703 704 706 716 717 718 724 727 728 732 734 740 743 754 757 762 765 770 771 772 774 781 786 802 803 804 810 813 814 821 826 828 835 838 839 843 845 848 854 856 857 859 860 862 863 864 865 878 904 908 910 912 914 917 919 929 934 937 941 943 947 948 954 959 973 978 980 984 989
America/Phoenix: 480 520 602 623
America/Port_of_Spain: 868
America/Puerto_Rico: 787 939
America/Regina: 306 474 639
America/Santo_Domingo: 809 829 849
America/St_Kitts: 869
America/St_Lucia: 758
America/St_Thomas: 340
America/St_Vincent: 784
America/Toronto: 226 249 263 289 343 354 365 382 416 437 438 450 468 514 519 548 579 613 647 683 705 742 753 819 873 905 942
America/Tortola: 284
America/Vancouver: 604
America/Winnipeg: 204 431 584
Atlantic/Bermuda: 441
Pacific/Guam: 671
Pacific/Honolulu: 808
Pacific/Pago_Pago: 684
Pacific/Saipan: 670
`;

/** The countries and the states of the area codes of +1. Several states: the area code is that of all of them. */
export const AREA_CODE_REGIONS = `
AG: 268
AI: 264
AS US-AS: 684
BB: 246
BM: 441
BS: 242
CA CA-AB: 368 403 587 780 825
CA CA-BC: 236 250 257 604 672 778
CA CA-MB: 204 431 584
CA CA-NB: 428 506
CA CA-NL: 709 879
CA CA-NS CA-PE: 782 902
CA CA-NT CA-NU CA-YT: 867
CA CA-ON: 226 249 289 343 365 382 416 437 519 548 613 647 683 705 742 753 807 905 942
CA CA-QC: 263 354 367 418 438 450 468 514 579 581 819 873
CA CA-SK: 306 474 639
DM: 767
DO: 809 829 849
GD: 473
GU US-GU: 671
JM: 658 876
KN: 869
KY: 345
LC: 758
MP US-MP: 670
MS: 664
PR US-PR: 787 939
SX: 721
TC: 649
TT: 868
US US-AK: 907
US US-AL: 205 251 256 334 659 938
US US-AR: 327 479 501 870
US US-AZ: 480 520 602 623 928
US US-CA: 209 213 279 310 323 341 350 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831 840 858 909 916 925 949 951
US US-CO: 303 719 720 748 970 983
US US-CT: 203 475 860 959
US US-DC: 202 771
US US-DE: 302
US US-FL: 239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941 954
US US-GA: 229 404 470 478 678 706 762 770 912 943
US US-HI: 808
US US-IA: 319 515 563 641 712
US US-ID: 208 986
US US-IL: 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 872
US US-IN: 219 260 317 463 574 765 812 930
US US-KS: 316 620 785 913
US US-KY: 270 364 502 606 859
US US-LA: 225 318 337 504 985
US US-MA: 339 351 413 508 617 774 781 857 978
US US-MD: 227 240 301 410 443 667
US US-ME: 207
US US-MI: 231 248 269 313 517 586 616 734 810 906 947 989
US US-MN: 218 320 507 612 651 763 952
US US-MO: 235 314 417 557 573 636 660 816 975
US US-MS: 228 601 662 769
US US-MT: 406
US US-NC: 252 336 472 704 743 828 910 919 980 984
US US-ND: 701
US US-NE: 308 402 531
US US-NH: 603
US US-NJ: 201 551 609 640 732 848 856 862 908 973
US US-NM: 505 575
US US-NV: 702 725 775
US US-NY: 212 315 329 332 347 363 516 518 585 607 631 646 680 716 718 838 845 914 917 929 934
US US-OH: 216 220 234 283 326 330 380 419 440 513 567 614 740 937
US US-OK: 405 539 572 580 918
US US-OR: 458 503 541 971
US US-PA: 215 223 267 272 412 445 484 570 582 610 717 724 814 835 878
US US-RI: 401
US US-SC: 803 821 839 843 854 864
US US-SD: 605
US US-TN: 423 615 629 731 865 901 931
US US-TX: 210 214 254 281 325 346 361 409 430 432 469 512 682 713 726 737 806 817 830 832 903 915 936 940 945 956 972 979
US US-UT: 385 435 801
US US-VA: 276 434 540 571 686 703 757 804 826 948
US US-VT: 802
US US-WA: 206 253 360 425 509 564
US US-WI: 262 274 353 414 534 608 715 920
US US-WV: 304 681
US US-WY: 307
VC: 784
VG: 284
VI US-VI: 340
`;

/** The zones of the countries of +1. */
export const COUNTRY_ZONES = `
America/Adak America/Anchorage America/Boise America/Chicago America/Denver America/Juneau America/Los_Angeles America/New_York America/North_Dakota/Center America/Phoenix Pacific/Honolulu: US
America/Anguilla: AI
America/Antigua: AG
America/Atikokan America/Blanc-Sablon America/Cambridge_Bay America/Edmonton America/Fort_Nelson America/Halifax America/Puerto_Rico America/Rankin_Inlet America/Regina America/St_Johns America/Toronto America/Vancouver America/Whitehorse America/Winnipeg: CA
America/Barbados: BB
America/Cayman: KY
America/Dominica: DM
America/Grand_Turk: TC
America/Grenada: GD
America/Jamaica: JM
America/Lower_Princes: SX
America/Montserrat: MS
America/Nassau: BS
America/Port_of_Spain: TT
America/Puerto_Rico: PR
America/Santo_Domingo: DO
America/St_Kitts: KN
America/St_Lucia: LC
America/St_Thomas: VI
America/St_Vincent: VC
America/Tortola: VG
Atlantic/Bermuda: BM
Pacific/Guam: GU
Pacific/Pago_Pago: AS
Pacific/Saipan: MP
`;

/** The zones of other numbers by their first digits, of which the longest count; by a calling code alone, all zones of its countries. */
export const PREFIX_ZONES = `
Africa/Abidjan: 225
Africa/Accra: 233
Africa/Addis_Ababa: 251
Africa/Algiers: 213
Africa/Asmara: 291
Africa/Bamako: 223
Africa/Bangui: 236
Africa/Banjul: 220
Africa/Bissau: 245
Africa/Blantyre: 265
Africa/Brazzaville: 242
Africa/Bujumbura: 257
Africa/Cairo: 20
Africa/Casablanca Africa/El_Aaiun: 212
Africa/Conakry: 224
Africa/Dakar: 221
Africa/Dar_es_Salaam: 255
Africa/Djibouti: 253
Africa/Douala: 237
Africa/Freetown: 232
Africa/Gaborone: 267
Africa/Harare: 263
Africa/Johannesburg: 27
Africa/Juba: 211
Africa/Kampala: 256
Africa/Khartoum: 249
Africa/Kigali: 250
Africa/Kinshasa Africa/Lubumbashi: 243
Africa/Kinshasa: 2431 2433 2434 2435 2436
Africa/Lagos: 234
Africa/Libreville: 241
Africa/Lome: 228
Africa/Luanda: 244
Africa/Lubumbashi: 2432
Africa/Lusaka: 260
Africa/Malabo: 240
Africa/Maputo: 258
Africa/Maseru: 266
Africa/Mbabane: 268
Africa/Mogadishu: 252
Africa/Monrovia: 231
Africa/Nairobi: 254
Africa/Ndjamena: 235
Africa/Niamey: 227
Africa/Nouakchott: 222
Africa/Ouagadougou: 226
Africa/Porto-Novo: 229
Africa/Sao_Tome: 239
Africa/Tripoli: 218
Africa/Tunis: 216
Africa/Windhoek: 264
America/Argentina/Buenos_Aires: 54
America/Aruba: 297
America/Asuncion: 595
America/Belize: 501
America/Bogota: 57
America/Cancun America/Ciudad_Juarez America/Matamoros America/Mazatlan America/Mexico_City America/Ojinaga America/Tijuana: 52
America/Cancun America/Mexico_City: 52201
America/Cancun: 52983 52984 52987 52998
America/Caracas: 58
America/Cayenne: 594
America/Ciudad_Juarez: 52656
America/Costa_Rica: 506
America/Coyhaique America/Santiago Pacific/Easter: 56
America/Curacao America/Kralendijk: 599
America/Curacao: 5996 5999
America/Danmarkshavn America/Nuuk America/Scoresbysund America/Thule: 299
America/El_Salvador: 503
America/Guadeloupe: 590
America/Guatemala: 502
America/Guayaquil Pacific/Galapagos: 593 59352
America/Guayaquil: 5932 5933 5934 5935 5936 5937 5939
America/Guyana: 592
America/Havana: 53
America/Kralendijk: 5993 5994 5997
America/La_Paz: 591
America/Lima: 51
America/Managua: 505
America/Manaus America/Noronha America/Rio_Branco America/Sao_Paulo: 55
America/Manaus America/Sao_Paulo: 5555 5567 5569
America/Manaus: 5565 5566 559
America/Martinique: 596
America/Matamoros: 52867 52877 52878 52894 52899
America/Mazatlan America/Mexico_City: 52649
America/Mazatlan: 52311 52319 52323 52324 52325 52327 52389 52612 52613 52614 52615 5262 5263 5264 52651 52652 52653 52657 52659 52660 52662 52667 52668 52669 52672 52673 52687 5269
America/Mexico_City America/Tijuana: 52200
America/Mexico_City: 522 523 524 525 52618 52663 52671 52674 52675 52676 52677 527 528 529
America/Miquelon: 508
America/Montevideo: 598
America/Noronha: 5581
America/Nuuk: 2991 2992 2993 2994 2995 2996 2998 2999
America/Ojinaga: 52626
America/Panama: 507
America/Paramaribo: 597
America/Port-au-Prince: 509
America/Rio_Branco: 5568
America/Santiago Pacific/Easter: 5632
America/Santiago: 561 562 5633 5634 5635 564 565 566 567 568 569
America/Sao_Paulo: 551 552 553 554 5550 5551 5553 5554 5561 5562 5563 5564 557 558 5590 5591 5592 5593 5594 5596 5598 5599
America/Scoresbysund: 29999
America/Tegucigalpa: 504
America/Thule: 29997
America/Tijuana: 52616 52646 52658 52661 52664 52665 52686
Arctic/Longyearbyen Europe/Oslo: 47
Arctic/Longyearbyen: 4779
Asia/Aden: 967
Asia/Almaty Asia/Anadyr Asia/Aqtobe Asia/Irkutsk Asia/Kamchatka Asia/Krasnoyarsk Asia/Magadan Asia/Novosibirsk Asia/Omsk Asia/Sakhalin Asia/Vladivostok Asia/Yakutsk Asia/Yekaterinburg Europe/Kaliningrad Europe/Moscow Europe/Samara: 7
Asia/Almaty Asia/Aqtobe Europe/Moscow: 7800 7808 7809 7810
Asia/Almaty Asia/Aqtobe: 77
Asia/Almaty: 771 772 779
Asia/Amman: 962
Asia/Anadyr: 7427
Asia/Aqtobe: 7711 7712 7713 7729
Asia/Ashgabat: 993
Asia/Baghdad: 964
Asia/Bahrain: 973
Asia/Baku: 994
Asia/Bangkok: 66
Asia/Beirut: 961
Asia/Bishkek: 996
Asia/Brunei: 673
Asia/Colombo: 94
Asia/Damascus: 963
Asia/Dhaka: 880
Asia/Dili: 670
Asia/Dubai: 971
Asia/Dushanbe: 992
Asia/Gaza Asia/Hebron: 970
Asia/Ho_Chi_Minh: 84
Asia/Hong_Kong: 852
Asia/Hovd Asia/Ulaanbaatar: 976
Asia/Hovd: 97614 97624
Asia/Irkutsk: 7301 7395
Asia/Jakarta Asia/Jayapura Asia/Makassar: 62
Asia/Jakarta Asia/Jayapura: 62915 62952
Asia/Jakarta Asia/Makassar: 62007 621 62379 62458 62516 62539 6280 62811 62818 62819 62824 62829 62831 62833 62834 62839 62853 62868 62876 62887
Asia/Jakarta: 622 6231 6232 6233 6234 6235 62513 62515 62519 62522 62525 62528 6253 6256 626 627 628 62920 62958 62963 62979
Asia/Jayapura Asia/Makassar: 62403
Asia/Jayapura: 6290 6291 6292 62951 62955 62956 62957 62962 62966 62967 62969 62971 62975 6298
Asia/Jerusalem: 972
Asia/Kabul: 93
Asia/Kamchatka: 7415
Asia/Karachi: 92
Asia/Kathmandu: 977
Asia/Kolkata: 91
Asia/Krasnoyarsk: 7384 7385 7388 7390 7391 7394
Asia/Kuching: 60
Asia/Kuwait: 965
Asia/Macau: 853
Asia/Magadan: 7413
Asia/Makassar: 6236 6237 6238 624 62511 62512 62517 62518 62526 62527 6254 6255
Asia/Manila: 63
Asia/Muscat: 968
Asia/Nicosia: 357
Asia/Novosibirsk: 7382 7383
Asia/Omsk: 7381
Asia/Phnom_Penh: 855
Asia/Pyongyang: 850
Asia/Qatar: 974
Asia/Riyadh: 966
Asia/Sakhalin: 7424
Asia/Seoul: 82
Asia/Shanghai Asia/Urumqi: 86
Asia/Shanghai: 861 862 863 864 865 866 867 868 869
Asia/Singapore: 65
Asia/Taipei: 886
Asia/Tashkent: 998
Asia/Tbilisi: 995
Asia/Tehran: 98
Asia/Thimphu: 975
Asia/Tokyo: 81
Asia/Ulaanbaatar: 97611 97612 97613 97615 97621 97622 97623 97625 9765 9766 9767 9768 9769
Asia/Vientiane: 856
Asia/Vladivostok: 7421 7423 7426
Asia/Yakutsk: 7302 7411 7416
Asia/Yangon: 95
Asia/Yekaterinburg: 733 734 735
Asia/Yerevan: 374
Atlantic/Azores Europe/Lisbon: 351
Atlantic/Azores: 351292 351295 351296
Atlantic/Canary Europe/Madrid: 34
Atlantic/Canary: 34822 34827 34828 34922 34928
Atlantic/Cape_Verde: 238
Atlantic/Faroe: 298
Atlantic/Reykjavik: 354
Atlantic/St_Helena: 247 290
Atlantic/Stanley: 500
Australia/Adelaide Australia/Brisbane Australia/Darwin Australia/Eucla Australia/Lord_Howe Australia/Perth Australia/Sydney Indian/Christmas Indian/Cocos: 61
Australia/Adelaide Australia/Darwin Australia/Eucla Australia/Perth Australia/Sydney Indian/Christmas Indian/Cocos: 618
Australia/Brisbane Australia/Sydney: 617
Australia/Lord_Howe Australia/Sydney: 612
Australia/Sydney: 611 613 614
Europe/Amsterdam: 31
Europe/Andorra: 376
Europe/Athens: 30
Europe/Belgrade: 381 383
Europe/Berlin: 49
Europe/Bratislava: 421
Europe/Brussels: 32
Europe/Bucharest: 40
Europe/Budapest: 36
Europe/Chisinau: 373
Europe/Copenhagen: 45
Europe/Dublin: 353
Europe/Gibraltar: 350
Europe/Guernsey Europe/Isle_of_Man Europe/Jersey Europe/London: 44
Europe/Guernsey Europe/Isle_of_Man Europe/London: 443 445 4470 4471 4472 4473 4474 4475 44760 44762 44763 447640 447641 447643 447644 447646 44765 44766 44767 44768 447693 447699 4477 4478 4479 448 449
Europe/Guernsey: 441481
Europe/Helsinki Europe/Mariehamn: 358 35810 35820 35829 35830 35839 35850 35860 35880
Europe/Helsinki: 3581 3582 3583 3585 3586 3588 3589
Europe/Isle_of_Man: 441624
Europe/Istanbul: 90
Europe/Jersey: 441534
Europe/Kaliningrad Europe/Moscow: 7840
Europe/Kaliningrad: 740
Europe/Kyiv: 380
Europe/Lisbon: 3512
Europe/Ljubljana: 386
Europe/London: 441 442
Europe/Luxembourg: 352
Europe/Madrid: 345 346 347 348 349
Europe/Malta: 356
Europe/Mariehamn: 35818
Europe/Minsk: 375
Europe/Monaco: 377
Europe/Moscow: 736 747 748 749 7803 7804 781 782 783 7841 7843 7844 7845 7847 7855 7856 7857 786 787 79
Europe/Oslo: 470 472 473 474 475 476 477 478 479
Europe/Paris: 33
Europe/Podgorica: 382
Europe/Prague: 420
Europe/Riga: 371
Europe/Rome Europe/Vatican: 39 390878
Europe/Rome: 390 394 397
Europe/Samara: 7341 7842 7846 7848 7851
Europe/San_Marino: 378
Europe/Sarajevo: 387
Europe/Skopje: 389
Europe/Sofia: 359
Europe/Stockholm: 46
Europe/Tallinn: 372
Europe/Tirane: 355
Europe/Vaduz: 423
Europe/Vatican: 3906698
Europe/Vienna: 43
Europe/Vilnius: 370
Europe/Warsaw: 48
Europe/Zagreb: 385
Europe/Zurich: 41
Indian/Antananarivo: 261
Indian/Chagos: 246
Indian/Comoro: 269
Indian/Mahe: 248
Indian/Maldives: 960
Indian/Mauritius: 230
Indian/Mayotte Indian/Reunion: 262
Indian/Mayotte: 262269 26263 2627093 2629398 2629478 2629769
Indian/Reunion: 262262 262263 26269 2627092 26281 26282 26288 26289 2629399 2629479 2629762 2629763
Pacific/Apia: 685
Pacific/Auckland Pacific/Chatham: 64
Pacific/Auckland: 641 642 643 644 645 646 647 648 649
Pacific/Bougainville Pacific/Port_Moresby: 675
Pacific/Chatham: 64330
Pacific/Chuuk Pacific/Kosrae: 691
Pacific/Chuuk: 6913 691933
Pacific/Efate: 678
Pacific/Fakaofo: 690
Pacific/Fiji: 679
Pacific/Funafuti: 688
Pacific/Gambier Pacific/Marquesas Pacific/Tahiti: 689
Pacific/Guadalcanal: 677
Pacific/Kanton Pacific/Kiritimati Pacific/Tarawa: 686
Pacific/Kosrae: 69132 69137 691920 691921 691924 691926
Pacific/Majuro: 692
Pacific/Nauru: 674
Pacific/Niue: 683
Pacific/Norfolk: 672
Pacific/Noumea: 687
Pacific/Palau: 680
Pacific/Rarotonga: 682
Pacific/Tahiti: 6894 68988 68989
Pacific/Tongatapu: 676
Pacific/Wallis: 681
`;
